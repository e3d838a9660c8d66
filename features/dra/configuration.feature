Feature: Configuration of devices
  Configuration of a claim and of the classes it uses is handed to the driver with the allocation. It has no
  influence on which devices are allocated.

  Background:
    Given a device class "gpu" that selects
      """
      device.attributes["dra.example.com"].kind == "gpu"
      """
    And a device class "nic" that selects
      """
      device.attributes["dra.example.com"].kind == "nic"
      """
    And the devices
      | device | attribute kind |
      | gpu-0  | string gpu     |
      | gpu-1  | string gpu     |
      | nic-0  | string nic     |
    And a claim "c" with the requests
      | request | class |
      | compute | gpu   |
      | network | nic   |

  @DRA/claim/configuration-applies-to-pod
  Scenario: The allocation has no configuration when neither the claim nor its classes have any
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source | requests | profile |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of a claim that names no request is for all of its requests
    Given claim "c" is configured with "fast"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of a claim that names one request is for that request
    Given claim "c" is configured with "fast" for the requests "network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim | network  | fast    |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Two entries of the configuration of a claim stay in their order
    Given claim "c" is configured with "slow"
    And claim "c" is configured with "fast" for the requests "network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | slow    |
      | FromClaim | network  | fast    |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of a class is for the request that uses the class
    Given device class "gpu" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of a class that no request uses is left out
    Given a device class "fpga"
    And device class "fpga" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source | requests | profile |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of two classes comes before that of the claim
    Given claim "c" is configured with "fast" for the requests "network"
    And device class "nic" is configured with "jumbo"
    And device class "gpu" is configured with "shared"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClass | compute  | shared  |
      | FromClass | network  | jumbo   |
      | FromClaim | network  | fast    |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of a class names the two of three requests that use it
    Given device class "gpu" is configured with "shared"
    And a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | network | nic   |
      | two     | gpu   |
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClass | one, two | shared  |

  @DRA/claim/configuration-applies-to-pod
  Scenario: An entry of a claim for two of three requests is listed once
    Given a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | network | nic   |
      | two     | gpu   |
    And claim "d" is configured with "fast" for the requests "one, two"
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
    But until Kubernetes 1.36, because these releases list the entry once for each of its requests: claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim | one, two | fast    |
      | FromClaim | one, two | fast    |

  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: An entry of a claim that names every request is listed once, without names, in 1.37
    Given claim "c" is configured with "fast" for the requests "compute, network"
    When allocation of claim "c" is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    But from Kubernetes 1.34 to 1.36, because these releases list the entry once for each of its requests: claim "c" has the configuration
      | source    | requests         | profile |
      | FromClaim | compute, network | fast    |
      | FromClaim | compute, network | fast    |

  @DRA/claim/configuration-applies-to-pod @profile:since-1.34
  Scenario: Configuration of a class that every request uses is listed without names in 1.37
    Given device class "gpu" is configured with "shared"
    And a claim "d" with the requests
      | request | class |
      | one     | gpu   |
      | two     | gpu   |
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClass |          | shared  |
    But from Kubernetes 1.34 to 1.36, because these releases name the requests even where configuration covers all of them: claim "d" has the configuration
      | source    | requests | profile |
      | FromClass | one, two | shared  |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration of one claim does not reach another claim allocated with it
    Given a claim "d" requesting 1 device of class "gpu"
    And claim "c" is configured with "fast"
    When allocation of the claims "c, d" together is attempted
    Then claim "c" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
    And claim "d" has the configuration
      | source | requests | profile |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration does not choose the devices that are allocated
    Given claim "other" already holds
      | device |
      | gpu-0  |
    And device class "gpu" is configured with "gpu-0"
    And claim "c" is configured with "gpu-0"
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | request | device |
      | compute | gpu-1  |
      | network | nic-0  |

  @DRA/claim/configuration-applies-to-pod
  Scenario: Configuration for a driver that has none of the devices is handed on
    Given the objects
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: d}
      spec:
        devices:
          requests:
            - name: r0
              exactly: {deviceClassName: gpu}
          config:
            - opaque: {driver: other.example.com, parameters: {profile: fast}}
      """
    When allocation of claim "d" is attempted
    Then claim "d" has the configuration
      | source    | requests | profile |
      | FromClaim |          | fast    |
