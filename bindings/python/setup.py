"""The wheel has the shared library in it, for one kind of machine and any Python 3. scripts/wheel puts together what it is made of."""

import os

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class Built(Distribution):
    def has_ext_modules(self):
        return True  # it is of one platform


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(version=os.environ["CONTRA_VERSION"], distclass=Built, cmdclass={"bdist_wheel": Wheel})
